@NullMarked
package io.peerlens.alert;

import org.jspecify.annotations.NullMarked;
