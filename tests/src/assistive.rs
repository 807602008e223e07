//! A browser as a screen reader has it: the accessibility tree, the focus, and keys. Nothing here knows a selector.

use serde_json::{Value, json};
use thirtyfour::Key;
use thirtyfour::cdp::Cdp;
use thirtyfour::error::WebDriverResult;
use tokio::time::timeout;

use crate::PATIENCE;
use crate::browser::Browser;

/// One thing on a page as it is told to whoever does not see it.
#[derive(Clone, Debug)]
struct Node {
    id: String,
    children: Vec<String>,
    /// By which the browser knows the element.
    backend: Option<i64>,
    role: String,
    name: String,
    /// Its states: `disabled`, `expanded`, `live` and the like.
    states: serde_json::Map<String, Value>,
}

/// How a screen reader uses a page.
pub struct Reader<'a> {
    browser: &'a Browser,
    tools: Cdp,
}

impl<'a> Reader<'a> {
    /// The same browser, by other means.
    pub fn of(browser: &'a Browser) -> Self {
        Reader { browser, tools: browser.web().cdp() }
    }

    /// Waits until there is something with this role whose name begins so; its whole name.
    ///
    /// # Panics
    /// If there never is.
    pub async fn find(&self, role: &str, name: &str) -> String {
        self.wait(role, name, |_| true).await.name
    }

    /// The same for one that is expanded, as what shows and hides other things says of itself.
    ///
    /// # Panics
    /// If there never is.
    pub async fn find_expanded(&self, role: &str, name: &str) {
        self.wait(role, name, |node| node.states.get("expanded") == Some(&Value::Bool(true))).await;
    }

    /// Moves the focus to something that can be used, and presses Enter.
    ///
    /// # Panics
    /// If there is no such thing, or it takes no focus.
    pub async fn activate(&self, role: &str, name: &str) {
        self.focus(role, name).await;
        self.browser.press(Key::Enter).await;
    }

    /// Moves the focus to one of several choices, and takes it.
    ///
    /// # Panics
    /// If there is no such choice.
    pub async fn choose(&self, name: &str) {
        self.focus("radio", name).await;
        self.browser.type_keys(" ").await;
    }

    /// Moves the focus to a field, and types.
    ///
    /// # Panics
    /// If there is no such field.
    pub async fn type_into(&self, name: &str, text: &str) {
        self.focus("textbox", name).await;
        self.browser.type_keys(text).await;
    }

    /// Waits until one of these sentences has been told by a live region, and answers which.
    ///
    /// # Panics
    /// If none is.
    pub async fn hear_one_of(&self, sentences: &[&str]) -> usize {
        let heard = async {
            loop {
                let told = self.told(&self.tree().await);
                let is_heard = |sentence: &&str| told.iter().any(|text| text.contains(*sentence));
                if let Some(which) = sentences.iter().position(is_heard) {
                    return which;
                }
                self.something_changes().await;
            }
        };
        if let Ok(which) = timeout(PATIENCE, heard).await {
            return which;
        }
        panic!("{sentences:?} is not heard, but {:?}", self.told(&self.tree().await));
    }

    /// Waits until a live region has told this.
    ///
    /// # Panics
    /// If none does.
    pub async fn hear(&self, sentence: &str) {
        self.hear_one_of(&[sentence]).await;
    }

    async fn focus(&self, role: &str, name: &str) {
        let is_usable = |node: &Node| node.states.get("disabled") != Some(&Value::Bool(true));
        let focused = async {
            loop {
                let node = self.wait(role, name, is_usable).await;
                let asked = json!({"backendNodeId": node.backend});
                // One that was drawn anew meanwhile is looked for again.
                if self.ask("DOM.focus", asked).await.is_ok() {
                    return;
                }
                self.something_changes().await;
            }
        };
        let focused = timeout(PATIENCE, focused).await;
        assert!(focused.is_ok(), "{role} “{name}” takes no focus");
    }

    async fn wait(&self, role: &str, name: &str, is_it: impl Fn(&Node) -> bool) -> Node {
        let found = async {
            loop {
                let tree = self.tree().await;
                let is_named = |node: &&Node| node.role == role && node.name.starts_with(name);
                if let Some(node) = tree.iter().filter(is_named).find(|node| is_it(node)) {
                    return node.clone();
                }
                self.something_changes().await;
            }
        };
        if let Ok(node) = timeout(PATIENCE, found).await {
            return node;
        }
        let tree = self.tree().await;
        let others: Vec<&String> =
            tree.iter().filter(|node| node.role == role).map(|node| &node.name).collect();
        panic!("there is no {role} “{name}”, but {others:?}");
    }

    /// All that is told of the page, in its order.
    async fn tree(&self) -> Vec<Node> {
        let tree = self.ask("Accessibility.getFullAXTree", json!({})).await;
        let tree = tree.expect("the browser has an accessibility tree");
        tree["nodes"].as_array().into_iter().flatten().filter_map(node).collect()
    }

    /// What stands in the live regions.
    fn told(&self, tree: &[Node]) -> Vec<String> {
        let is_live = |node: &&Node| matches!(node.states.get("live"), Some(Value::String(how)) if how != "off");
        let mut inside: Vec<&Node> = tree.iter().filter(is_live).collect();
        let mut told = Vec::new();
        while let Some(node) = inside.pop() {
            if node.role == "StaticText" {
                told.push(node.name.clone());
            }
            inside.extend(tree.iter().filter(|child| node.children.contains(&child.id)));
        }
        told
    }

    /// Waits until the page is another one, or a moment.
    async fn something_changes(&self) {
        const CHANGE: &str = "const done = arguments[arguments.length - 1];
            const look = new MutationObserver(end);
            const timer = setTimeout(end, 200);
            function end() { clearTimeout(timer); look.disconnect(); done(); }
            look.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });";
        // A page that is left answers nothing.
        _ = self.browser.web().execute_async(CHANGE, Vec::new()).await;
    }

    async fn ask(&self, command: &str, parameters: Value) -> WebDriverResult<Value> {
        self.tools.send_raw(command, parameters).await
    }
}

/// What is told of one node of the tree, if anything is.
fn node(json: &Value) -> Option<Node> {
    let text = |value: &Value| value["value"].as_str().unwrap_or_default().to_owned();
    let strings = |list: &Value| {
        let list = list.as_array().into_iter().flatten();
        list.filter_map(|item| item.as_str().map(str::to_owned)).collect()
    };
    if json["ignored"] == true && json["childIds"].as_array().is_none_or(Vec::is_empty) {
        return None;
    }
    let states = json["properties"].as_array().into_iter().flatten().filter_map(|property| {
        Some((property["name"].as_str()?.to_owned(), property["value"]["value"].clone()))
    });
    Some(Node {
        id: json["nodeId"].as_str()?.to_owned(),
        children: strings(&json["childIds"]),
        backend: json["backendDOMNodeId"].as_i64(),
        role: text(&json["role"]),
        name: text(&json["name"]),
        states: states.collect(),
    })
}
