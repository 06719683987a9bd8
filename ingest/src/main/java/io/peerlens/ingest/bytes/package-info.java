/** Reading of bytes in place, which all decoders share. */
@NullMarked
package io.peerlens.ingest.bytes;

import org.jspecify.annotations.NullMarked;
