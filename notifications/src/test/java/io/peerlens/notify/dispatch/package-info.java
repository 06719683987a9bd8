@NullMarked
package io.peerlens.notify.dispatch;

import org.jspecify.annotations.NullMarked;
