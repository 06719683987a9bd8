/** The standalone edition: the service with its own PostgreSQL and Kafka broker in one process. */
@NullMarked
package io.peerlens.standalone;

import org.jspecify.annotations.NullMarked;
