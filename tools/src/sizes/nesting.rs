//! How deep control structures stand in each other.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprClosure, ExprForLoop, ExprIf, ExprLoop, ExprMatch, ExprWhile, Item, Macro,
    Token,
};

/// The deepest nesting in a function's body; see the module above for what counts.
pub fn nesting(body: &Block) -> usize {
    let mut depth = Depth::default();
    depth.visit_block(body);
    depth.deepest
}

#[derive(Default)]
struct Depth {
    now: usize,
    deepest: usize,
}

impl Depth {
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        self.now += 1;
        self.deepest = self.deepest.max(self.now);
        visit(self);
        self.now -= 1;
    }
}

impl Visit<'_> for Depth {
    fn visit_expr_if(&mut self, expression: &ExprIf) {
        self.visit_expr(&expression.cond);
        self.inside(|depth| depth.visit_block(&expression.then_branch));
        match expression
            .else_branch
            .as_ref()
            .map(|(_, branch)| branch.as_ref())
        {
            Some(Expr::If(next)) => self.visit_expr_if(next),
            Some(branch) => self.inside(|depth| depth.visit_expr(branch)),
            None => {}
        }
    }

    fn visit_expr_match(&mut self, expression: &ExprMatch) {
        self.visit_expr(&expression.expr);
        self.inside(|depth| expression.arms.iter().for_each(|arm| depth.visit_arm(arm)));
    }

    fn visit_expr_for_loop(&mut self, expression: &ExprForLoop) {
        self.visit_expr(&expression.expr);
        self.inside(|depth| depth.visit_block(&expression.body));
    }

    fn visit_expr_while(&mut self, expression: &ExprWhile) {
        self.visit_expr(&expression.cond);
        self.inside(|depth| depth.visit_block(&expression.body));
    }

    fn visit_expr_loop(&mut self, expression: &ExprLoop) {
        self.inside(|depth| depth.visit_block(&expression.body));
    }

    fn visit_expr_closure(&mut self, expression: &ExprClosure) {
        match expression.body.as_ref() {
            Expr::Block(_) => self.inside(|depth| depth.visit_expr(&expression.body)),
            body => self.visit_expr(body),
        }
    }

    fn visit_macro(&mut self, mac: &Macro) {
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(arguments) = arguments.parse2(mac.tokens.clone()) {
            arguments
                .iter()
                .for_each(|argument| self.visit_expr(argument));
        }
    }

    /// Items inside a function are measured on their own.
    fn visit_item(&mut self, _: &Item) {}

    fn visit_expr(&mut self, expression: &Expr) {
        visit::visit_expr(self, expression);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(body: &str) -> usize {
        nesting(&syn::parse_str(&format!("{{ {body} }}")).unwrap())
    }

    #[test]
    fn control_structures_count_and_plain_blocks_do_not() {
        assert_eq!(of("let x = 1; { unsafe { f(x) } }"), 0);
        assert_eq!(of("let Some(x) = y else { return };"), 0);
        assert_eq!(of("for x in y { if x { f() } }"), 2);
        assert_eq!(of("while a { match b { C => loop { break } } }"), 3);
    }

    #[test]
    fn else_if_is_on_the_level_of_its_if() {
        assert_eq!(
            of("if a { f() } else if b { g() } else if c { k() } else { m() }"),
            1
        );
        assert_eq!(of("if a { f() } else { if b { g() } }"), 2);
    }

    #[test]
    fn closures_with_a_block_count_and_short_ones_do_not() {
        assert_eq!(of("each(|x| { if x { f() } })"), 2);
        assert_eq!(of("each(|x| x + 1)"), 0);
    }

    #[test]
    fn expressions_in_macros_are_seen() {
        assert_eq!(of("dispatch!(law, |law| { for i in a { f(law, i) } });"), 2);
        assert_eq!(of("select!(a => b; if c { d });"), 0);
    }

    #[test]
    fn functions_inside_are_their_own() {
        assert_eq!(of("fn g() { if a { if b {} } } if c {}"), 1);
    }
}
