@NullMarked
package io.peerlens.notify.relay;

import org.jspecify.annotations.NullMarked;
