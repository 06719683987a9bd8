/** Tests of stored dashboards and views with a whole server. */
@NullMarked
package io.peerlens.dashboard;

import org.jspecify.annotations.NullMarked;
