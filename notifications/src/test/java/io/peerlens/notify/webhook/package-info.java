@NullMarked
package io.peerlens.notify.webhook;

import org.jspecify.annotations.NullMarked;
