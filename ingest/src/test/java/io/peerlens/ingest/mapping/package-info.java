/** Tests of mapping files. */
@NullMarked
package io.peerlens.ingest.mapping;

import org.jspecify.annotations.NullMarked;
