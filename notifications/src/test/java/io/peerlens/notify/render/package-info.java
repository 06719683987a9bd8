@NullMarked
package io.peerlens.notify.render;

import org.jspecify.annotations.NullMarked;
