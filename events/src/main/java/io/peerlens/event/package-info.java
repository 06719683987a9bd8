/** Events of vCenters: from a topic of Kafka to recorded changes and alerts. */
@NullMarked
package io.peerlens.event;

import org.jspecify.annotations.NullMarked;
