@NullMarked
package io.peerlens.notify.flow;

import org.jspecify.annotations.NullMarked;
