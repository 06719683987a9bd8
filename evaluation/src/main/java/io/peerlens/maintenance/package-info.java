/** Maintenance windows: times at which alerts of some objects are suppressed. */
@NullMarked
package io.peerlens.maintenance;

import org.jspecify.annotations.NullMarked;
