@NullMarked
package io.peerlens.slow;

import org.jspecify.annotations.NullMarked;
