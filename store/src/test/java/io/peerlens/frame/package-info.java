@NullMarked
package io.peerlens.frame;

import org.jspecify.annotations.NullMarked;
