/**
 * Words for sentences about alerts and outliers: names and units of metrics, figures with units,
 * and texts whose bold parts and moments are marked.
 */
@NullMarked
package io.peerlens.words;

import org.jspecify.annotations.NullMarked;
