@NullMarked
package io.peerlens.flow;

import org.jspecify.annotations.NullMarked;
