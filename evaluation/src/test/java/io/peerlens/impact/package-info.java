@NullMarked
package io.peerlens.impact;

import org.jspecify.annotations.NullMarked;
