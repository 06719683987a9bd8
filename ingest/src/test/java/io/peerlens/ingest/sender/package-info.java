@NullMarked
package io.peerlens.ingest.sender;

import org.jspecify.annotations.NullMarked;
