@NullMarked
package io.peerlens.notify.delivery;

import org.jspecify.annotations.NullMarked;
