/**
 * What notifications are rendered from: the context (an alert and its surroundings as one JSON
 * document, read by templates and conditions) and charts of the alert's metric.
 */
@NullMarked
package io.peerlens.notify.render;

import org.jspecify.annotations.NullMarked;
