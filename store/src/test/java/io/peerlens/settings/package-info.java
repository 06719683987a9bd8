@NullMarked
package io.peerlens.settings;

import org.jspecify.annotations.NullMarked;
