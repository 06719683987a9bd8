@NullMarked
package io.peerlens.flow.decode;

import org.jspecify.annotations.NullMarked;
