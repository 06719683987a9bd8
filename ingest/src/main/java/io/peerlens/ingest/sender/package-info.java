/** Who sends what ingest takes in: counted while it is decoded, for the state of sources. */
@NullMarked
package io.peerlens.ingest.sender;

import org.jspecify.annotations.NullMarked;
