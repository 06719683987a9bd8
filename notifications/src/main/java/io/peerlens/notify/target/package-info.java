/** How receivers of notifications are reached: targets, as definitions. */
@NullMarked
package io.peerlens.notify.target;

import org.jspecify.annotations.NullMarked;
