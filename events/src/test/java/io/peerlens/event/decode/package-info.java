@NullMarked
package io.peerlens.event.decode;

import org.jspecify.annotations.NullMarked;
