@NullMarked
package io.peerlens.notify.target;

import org.jspecify.annotations.NullMarked;
