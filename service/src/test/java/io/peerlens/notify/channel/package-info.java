@NullMarked
package io.peerlens.notify.channel;

import org.jspecify.annotations.NullMarked;
