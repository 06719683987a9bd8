/** Findings about files of dashboards that are right, but do not work everywhere. */
@NullMarked
package io.peerlens.dashboard.lint;

import org.jspecify.annotations.NullMarked;
