/**
 * Intake over HTTP: what collectors send that have no Kafka client goes into the same topics.
 * Nothing is decoded here; a body is only cut into records that Kafka takes.
 */
@NullMarked
package io.peerlens.intake;

import org.jspecify.annotations.NullMarked;
