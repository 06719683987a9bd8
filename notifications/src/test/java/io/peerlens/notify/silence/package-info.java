@NullMarked
package io.peerlens.notify.silence;

import org.jspecify.annotations.NullMarked;
