@NullMarked
package io.peerlens.notify.match;

import org.jspecify.annotations.NullMarked;
