@NullMarked
package io.peerlens.notify.preview;

import org.jspecify.annotations.NullMarked;
