@NullMarked
package io.peerlens.samples;

import org.jspecify.annotations.NullMarked;
