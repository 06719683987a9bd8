@NullMarked
package io.peerlens.notify.secret;

import org.jspecify.annotations.NullMarked;
