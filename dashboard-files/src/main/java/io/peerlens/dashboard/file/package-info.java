/** Files of dashboards and views: what is in them, and the reader that says what is wrong. */
@NullMarked
package io.peerlens.dashboard.file;

import org.jspecify.annotations.NullMarked;
