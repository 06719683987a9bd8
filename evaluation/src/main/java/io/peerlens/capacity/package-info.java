/**
 * When what fills up reaches its limit, by the names that vRealize Operations' capacity analytics
 * has for it.
 */
@NullMarked
package io.peerlens.capacity;

import org.jspecify.annotations.NullMarked;
