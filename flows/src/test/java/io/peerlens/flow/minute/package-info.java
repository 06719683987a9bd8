@NullMarked
package io.peerlens.flow.minute;

import org.jspecify.annotations.NullMarked;
