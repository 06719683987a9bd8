@NullMarked
package io.peerlens.threshold;

import org.jspecify.annotations.NullMarked;
