@NullMarked
package io.peerlens.learning;

import org.jspecify.annotations.NullMarked;
