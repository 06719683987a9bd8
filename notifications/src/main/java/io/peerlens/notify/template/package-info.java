/**
 * What notifications look like: templates that come with the product, and those of this
 * installation.
 */
@NullMarked
package io.peerlens.notify.template;

import org.jspecify.annotations.NullMarked;
