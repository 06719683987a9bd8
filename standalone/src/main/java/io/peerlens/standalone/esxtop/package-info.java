/**
 * Batch output of esxtop as samples: the columns of its header, whose they are, and the lines that
 * Kafka gets. It knows the service only as an {@link
 * io.peerlens.standalone.esxtop.ObjectDirectory}.
 */
@NullMarked
package io.peerlens.standalone.esxtop;

import org.jspecify.annotations.NullMarked;
