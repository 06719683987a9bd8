/** Days until what fills up reaches its limit. */
@NullMarked
package io.peerlens.capacity;

import org.jspecify.annotations.NullMarked;
