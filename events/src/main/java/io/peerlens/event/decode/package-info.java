/** Decoding of events: from Kafka records in any of several forms to one form. */
@NullMarked
package io.peerlens.event.decode;

import org.jspecify.annotations.NullMarked;
