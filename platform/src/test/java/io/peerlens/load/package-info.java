@NullMarked
package io.peerlens.load;

import org.jspecify.annotations.NullMarked;
