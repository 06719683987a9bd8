/** Tables that notification templates look values up in, such as runbooks by alert definition. */
@NullMarked
package io.peerlens.notify.lookup;

import org.jspecify.annotations.NullMarked;
