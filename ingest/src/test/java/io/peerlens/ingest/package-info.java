/** Tests of the decoder, and the fakes of its ports for the tests of other modules. */
@NullMarked
package io.peerlens.ingest;

import org.jspecify.annotations.NullMarked;
