/** Reports: dashboards and views that are kept and sent on schedule. */
@NullMarked
package io.peerlens.report;

import org.jspecify.annotations.NullMarked;
