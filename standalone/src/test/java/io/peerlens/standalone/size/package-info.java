@NullMarked
package io.peerlens.standalone.size;

import org.jspecify.annotations.NullMarked;
