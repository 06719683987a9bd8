@NullMarked
package io.peerlens.notify.definition;

import org.jspecify.annotations.NullMarked;
