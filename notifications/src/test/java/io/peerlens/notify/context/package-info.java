@NullMarked
package io.peerlens.notify.context;

import org.jspecify.annotations.NullMarked;
