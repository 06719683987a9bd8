@NullMarked
package io.peerlens.maintenance;

import org.jspecify.annotations.NullMarked;
