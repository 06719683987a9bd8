/** Network flows: from Kafka to sums by minute, with the objects that their addresses belong to. */
@NullMarked
package io.peerlens.flow;

import org.jspecify.annotations.NullMarked;
